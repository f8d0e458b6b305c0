/** Whether a provider can read an address of a client: it is not a path, and nothing of this machine's. */
export function isReadable(address: string): boolean {
  return /^(?:https:\/\/|data:)/i.test(address);
}

/** What is wrong with any other address. */
export const addressProblem = "must be an https: address or a data: URL";
