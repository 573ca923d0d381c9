// From proto/sluice/v1/personal_api_keys.proto


export interface ListPersonalApiKeysRequest {
}

export interface ListPersonalApiKeysRequest__Output {
}
