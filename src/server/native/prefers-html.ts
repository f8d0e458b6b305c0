/**
 * Whether a client would rather have a page than JSON: the header `accept` names `text/html`, and JSON with no higher weight. Others, which
 * accept whatever there is, get JSON.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function prefersHtml(accept: string): boolean {
  const weights = new Map(accept.split(",").map(readRange));
  const weight = weights.get("text/html") ?? 0;
  return weight > 0 && weight >= (weights.get("application/json") ?? 0);
}

/** A type and its weight: 1 if there is none, and 0 for one that cannot be read. */
function readRange(range: string): readonly [type: string, weight: number] {
  const [type = "", ...parameters] = range.toLowerCase().split(";");
  const weight = parameters.map((each) => each.trim()).find((each) => each.startsWith("q="));
  return [type.trim(), weight === undefined ? 1 : readWeight(weight.slice(2))];
}

function readWeight(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
