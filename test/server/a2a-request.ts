import { type Part, Role, type SendMessageRequest } from "@a2a-js/sdk";

/** A part, with the fields that the protocol's types demand. */
export function partOf(content: Part["content"], mediaType = ""): Part {
  return { content, metadata: undefined, filename: "", mediaType };
}

/** What a client sends to an agent: a new message of the user. */
export function requestOf(
  parts: Part[],
  fields: Partial<SendMessageRequest["message"]> = {},
): SendMessageRequest {
  return {
    tenant: "",
    metadata: undefined,
    configuration: undefined,
    message: {
      messageId: crypto.randomUUID(),
      contextId: "",
      taskId: "",
      role: Role.ROLE_USER,
      parts,
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
      ...fields,
    },
  };
}
