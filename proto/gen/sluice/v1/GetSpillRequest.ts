// From proto/sluice/v1/admin.proto


export interface GetSpillRequest {
}

export interface GetSpillRequest__Output {
}
