// From proto/sluice/v1/admin.proto


export interface MoveHomeRequest {
}

export interface MoveHomeRequest__Output {
}
