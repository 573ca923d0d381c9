// From proto/sluice/v1/login.proto


export interface LogoutRequest {
}

export interface LogoutRequest__Output {
}
