import { PrefixCache } from "../base/util/prefix-cache.ts";
import type { Message } from "./messages.ts";

/** Keeps how far work on histories has come. A message counts as the same one as long as its content is. */
export function historyProgress<S>(): PrefixCache<Message, S> {
  return new PrefixCache<Message, S>((message) =>
    message.role === "tool" ? message.result : message.content,
  );
}
