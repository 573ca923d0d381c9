// From proto/sluice/v1/operations.proto


export interface ListDeadLetterCausesRequest {
}

export interface ListDeadLetterCausesRequest__Output {
}
