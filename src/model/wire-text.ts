/** Lists whose items never change once they are made. */
const lists = new WeakSet<object>();

/** What such items are as JSON. */
const texts = new WeakMap<object, string>();

/** Notes that the items of a list never change, so that each is written once, in however many requests it stands. */
export function lasting<T extends object>(items: T[]): T[] {
  lists.add(items);
  return items;
}

/** A request's body as JSON: the same text as of `JSON.stringify`. */
export function bodyText(body: object): string {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const text = isLasting(value) ? listText(value) : JSON.stringify(value);
    if (text !== undefined) fields.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${fields.join(",")}}`;
}

function listText(items: readonly object[]): string {
  return `[${items.map(itemText).join(",")}]`;
}

function itemText(item: object): string {
  let text = texts.get(item);
  if (text === undefined) texts.set(item, (text = JSON.stringify(item)));
  return text;
}

function isLasting(value: unknown): value is readonly object[] {
  return Array.isArray(value) && lists.has(value);
}
