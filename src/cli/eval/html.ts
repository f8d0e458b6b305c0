/** Text that is HTML already: whatever else is put into HTML is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What can be put into HTML. */
export type Content = Html | string | number | readonly Content[];

/** HTML from a template: values are escaped, unless they are HTML themselves. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(parts.map((part, index) => part + asText(values[index] ?? "")).join(""));
}

function asText(content: Content): string {
  if (content instanceof Html) return content.text;
  if (typeof content === "string" || typeof content === "number") return escaped(String(content));
  return content.map(asText).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
