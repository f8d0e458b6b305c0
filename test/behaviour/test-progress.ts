import { tool, type Tool } from "skein";

/** A tool, `work`, that reports progress before its result. */
export const progressTool: Tool = tool({
  name: "work",
  input: { type: "object", properties: {} },
  async *execute() {
    yield 1;
    return "done";
  },
});
