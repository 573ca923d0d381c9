// From proto/sluice/v1/personal_api_keys.proto


export interface GetPersonalApiKeyRequest {
  'id'?: (string);
}

export interface GetPersonalApiKeyRequest__Output {
  'id': (string);
}
