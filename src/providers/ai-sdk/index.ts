export { fromAiSdk } from "./model.ts";
export type {
  AiSdkCallOptions,
  AiSdkLanguageModel,
  AiSdkOptions,
  AiSdkProviderTool,
  AiSdkSpecification,
  AiSdkStreamResult,
  AiSdkUrls,
} from "./types.ts";
