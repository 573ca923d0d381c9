// From proto/sluice/v1/users.proto


export interface GetMeRequest {
}

export interface GetMeRequest__Output {
}
