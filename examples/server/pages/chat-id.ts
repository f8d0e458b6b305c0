/** The id of the conversation, which is in the address: loaded again, or opened in another tab, the page shows the same one. */
export function chatIdOfPage(): string {
  const address = new URL(location.href);
  const id = address.searchParams.get("id") ?? crypto.randomUUID().slice(0, 8);
  address.searchParams.set("id", id);
  history.replaceState(null, "", address);
  return id;
}
