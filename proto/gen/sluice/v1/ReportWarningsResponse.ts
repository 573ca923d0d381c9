// From proto/sluice/v1/ingest.proto


export interface ReportWarningsResponse {
}

export interface ReportWarningsResponse__Output {
}
