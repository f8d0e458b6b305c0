/** What drives runs, requests and calls: one file, loaded with the first of them. A program that only defines agents does without. */
export { driveRun } from "./drive-run.ts";
export { streamAnswer } from "./stream-answer.ts";
