import { readdirSync, readFileSync } from "node:fs";

/** One article of the help centre. */
export interface Article {
  /** Made of the title: `"cancel-a-paid-plan"`. */
  readonly id: string;
  /** Such as `"Billing"`. */
  readonly category: string;
  readonly title: string;
  readonly body: string;
}

const folder = new URL("./articles/", import.meta.url);

/** Reads the articles: one file a category, whose name is the first heading; each further heading begins an article. */
export function readArticles(): readonly Article[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return files.sort().flatMap((name) => parse(readFileSync(new URL(name, folder), "utf8")));
}

function parse(markdown: string): readonly Article[] {
  const [head = "", ...sections] = markdown.split(/^## /m);
  const category = head.replace(/^# /, "").trim();
  return sections.map((section) => {
    const [title = "", ...lines] = section.split("\n");
    const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    return { id: words.join("-"), category, title: title.trim(), body: lines.join("\n").trim() };
  });
}
