import { cleanText } from "../../../base/util/clean-text.ts";
import type { ConnectionSecrets } from "./secrets.ts";
import type { Ending } from "./stdio-transport.ts";

/** What terminals take for colours and movements. */
// oxlint-disable-next-line no-control-regex -- they are what is to be removed
const terminalSequence = /\u001B(?:\[[\d;?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\^_])/g;

/** How a program ended and what it said last, without secrets. Empty where there is nothing to say. */
export function lastWords({ how, stderr }: Ending, secrets: ConnectionSecrets, limit = 4_096): string {
  const plain = stderr.replaceAll(terminalSequence, "").replaceAll("\r\n", "\n");
  const words = cleanText(secrets.words(plain), plain.length).trim().slice(-limit);
  const end = how === undefined ? "" : ` It ${how}.`;
  return words === "" ? end : `${end} The last it said:\n${words}`;
}
