export { chat, type ChatOptions, type ChatOutcome } from "./chat/chat.ts";
