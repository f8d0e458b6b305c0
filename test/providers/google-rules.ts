type Body = Readonly<Record<string, unknown>>;

function objects(value: unknown): Body[] {
  return Array.isArray(value) ? value.map((entry) => ({ ...Object(entry) })) : [];
}

/** Gemini: a turn of calls is followed by a turn of as many answers, by name; the user speaks first and last. */
export function googleProblems(body: Body): string[] {
  const problems: string[] = [];
  const contents = objects(body["contents"]);
  if (contents[0]?.["role"] !== "user") problems.push("the first turn is not the user's");
  if (contents.at(-1)?.["role"] !== "user") problems.push("the last turn is not the user's");
  for (const [index, { role, parts }] of contents.entries()) {
    if (objects(parts).length === 0) problems.push(`contents[${index}] has no part`);
    if (role === "model" && contents[index - 1]?.["role"] === "model")
      problems.push("two turns of the model");
    const called = namesIn(parts, "functionCall");
    const answered = namesIn(contents[index + 1]?.["parts"], "functionResponse");
    if (called.join() !== answered.join())
      problems.push(`contents[${index}] calls [${called.join()}], answered by [${answered.join()}]`);
    for (const name of called)
      if (!/^[a-zA-Z_][\w.-]{0,63}$/.test(name)) problems.push(`a call has the name "${name}"`);
  }
  const tools = objects(body["tools"]).flatMap((tool) => objects(tool["functionDeclarations"]));
  const names = tools.map(({ name }) => String(name));
  if (new Set(names).size < names.length) problems.push(`tools share a name: ${names.join(", ")}`);
  for (const name of names)
    if (!/^[a-zA-Z_][\w.-]{0,63}$/.test(name)) problems.push(`a tool is called "${name}"`);
  const ids = contents.flatMap(({ parts }) => idsIn(parts, "functionCall"));
  if (new Set(ids).size < ids.length) problems.push(`calls share an id: ${ids.join(", ")}`);
  for (const [index, { parts }] of contents.entries()) {
    const called = idsIn(parts, "functionCall");
    const answered = idsIn(contents[index + 1]?.["parts"], "functionResponse");
    if (called.join() !== answered.join())
      problems.push(`the calls [${called.join()}] are answered by [${answered.join()}]`);
    const empty = objects(parts).filter((part) => Object.keys(part).length === 1 && part["text"] === "");
    if (empty.length > 0) problems.push(`contents[${index}] has an empty text`);
  }
  return problems;
}

function idsIn(parts: unknown, field: string): string[] {
  return objects(parts).flatMap((part) => (field in part ? [String(Object(part[field]).id)] : []));
}

function namesIn(parts: unknown, field: string): string[] {
  return objects(parts).flatMap((part) => (field in part ? [String(Object(part[field]).name)] : []));
}
