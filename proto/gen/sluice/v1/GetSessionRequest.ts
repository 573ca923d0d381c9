// From proto/sluice/v1/login.proto


export interface GetSessionRequest {
}

export interface GetSessionRequest__Output {
}
