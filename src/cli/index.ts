export { chat, type ChatOptions } from "./chat.ts";
