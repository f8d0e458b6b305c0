export { attach, type Attachment } from "./attach.ts";
