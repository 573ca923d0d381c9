// From proto/sluice/v1/admin.proto


export interface GetStatusRequest {
}

export interface GetStatusRequest__Output {
}
