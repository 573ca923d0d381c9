// From proto/sluice/v1/admin.proto


export interface GetCopyRequest {
}

export interface GetCopyRequest__Output {
}
