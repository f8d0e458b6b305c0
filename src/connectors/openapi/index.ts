export type { ClientCredentials, Credential, OpenApiAuth, Secret, UserCredentials } from "./credentials.ts";
export type { OpenApiSource } from "./load-document.ts";
export { openapi, type OpenApiToolset } from "./openapi.ts";
export type { OpenApiOptions, OperationFilter, OperationSummary } from "./options.ts";
export { OpenApiResponseError } from "./response-error.ts";
export type { LeftOut, OpenApiReport } from "./types.ts";
