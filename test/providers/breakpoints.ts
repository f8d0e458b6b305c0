/** A body, or a part of one. */
type Fields = Readonly<Record<string, unknown>>;

/** A piece of a prompt that is cached with what is before it or not at all. */
export interface Piece {
  readonly text: string;
  readonly block: Fields;
  /** Set where the request has a breakpoint at its end. */
  readonly breakpoint?: Fields;
}

/** The objects of a list; a text counts as the only one. */
export function objects(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.map((item: unknown): Fields => ({ ...Object(item) }));
  return value === undefined ? [] : [{ type: "text", text: value }];
}

/** The prompt of a request of the Messages API, in the order in which it is cached. */
export function anthropicPieces({ tools, system, messages }: Fields): Piece[] {
  return [
    ...objects(tools).map((tool) => piece("tool", tool)),
    ...objects(system).map((block) => piece("system", block)),
    ...objects(messages).flatMap(({ role, content }) =>
      objects(content).map((block) => piece(String(role), block)),
    ),
  ];
}

function piece(place: string, { cache_control: breakpoint, ...block }: Fields): Piece {
  const text = `${place} ${JSON.stringify(block)}`;
  return breakpoint ? { text, block, breakpoint: { ...Object(breakpoint) } } : { text, block };
}

/** What the API refuses, one sentence each: more than four, at thinking, at blank text, an hour after five minutes. */
function* problemsIn(pieces: readonly Piece[]): Iterable<string> {
  const marked = pieces.filter(({ breakpoint }) => breakpoint !== undefined);
  if (marked.length > 4) yield `a maximum of 4 blocks may have a cache_control, ${marked.length} have one`;
  const ttls = marked.map(({ breakpoint }) => breakpoint?.["ttl"] ?? "5m");
  if (ttls.lastIndexOf("1h") > ttls.indexOf("5m") && ttls.includes("5m"))
    yield "a cache_control of an hour is after one of five minutes";
  for (const { block, breakpoint } of marked) {
    const { type, text } = block;
    if (breakpoint?.["type"] !== "ephemeral") yield "a cache_control is not ephemeral";
    if (type === "thinking" || type === "redacted_thinking") yield "thinking has a cache_control";
    if (type === "text" && String(text).trim() === "") yield "an empty text has a cache_control";
  }
}

/** What is wrong with the breakpoints of a request, one sentence each. */
export function breakpointProblems(body: Fields): string[] {
  return [...problemsIn(anthropicPieces(body))];
}
