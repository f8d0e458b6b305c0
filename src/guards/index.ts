export { allowedDomains } from "./allowed-domains.ts";
export type {
  GuardChecks,
  GuardOptions,
  Judged,
  JudgedCall,
  JudgedInput,
  JudgedOutput,
  JudgedResult,
} from "./checks.ts";
export { guard } from "./guard.ts";
export { personalData, type PersonalDataKind, type PersonalDataOptions } from "./personal-data.ts";
export { secrets, type SecretsOptions } from "./secrets.ts";
export type { CallVerdict, Verdict } from "./verdict.ts";
