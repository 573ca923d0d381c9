// From proto/sluice/v1/directory.proto


export interface ConfirmNewsResponse {
}

export interface ConfirmNewsResponse__Output {
}
