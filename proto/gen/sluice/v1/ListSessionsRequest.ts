// From proto/sluice/v1/login.proto


export interface ListSessionsRequest {
}

export interface ListSessionsRequest__Output {
}
