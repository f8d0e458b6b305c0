export { fromAiSdk } from "./model.ts";
export type {
  AiSdkCallOptions,
  AiSdkLanguageModel,
  AiSdkOptions,
  AiSdkSpecification,
  AiSdkStreamResult,
  AiSdkUrls,
} from "./types.ts";
