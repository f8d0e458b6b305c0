import type * as parser from "@rgrove/parse-xml";
import type { XmlDocument, XmlElement } from "@rgrove/parse-xml";
import { missingPackage } from "../../base/options/missing-package.ts";
import { ServiceError, words } from "./service.ts";

/** A paper, as arXiv lists it. */
export interface ArxivPaper {
  /** With its version: `"1706.03762v7"`. */
  readonly id: string;
  readonly title: string;
  readonly authors: readonly string[];
  readonly abstract: string;
  /** When the first version came, and when this one did: ISO 8601. */
  readonly published: string;
  readonly updated: string;
  /** The page of the abstract. */
  readonly link: string;
  readonly pdf?: string;
  /** The main one first, such as `"cs.CL"`. */
  readonly categories: readonly string[];
  readonly doi?: string;
  readonly journal?: string;
  readonly comment?: string;
}

/** One page of what a search found. */
export interface ArxivResult {
  /** How many there are in all. */
  readonly total: number;
  /** The place of the first one here, from 0. */
  readonly start: number;
  readonly papers: readonly ArxivPaper[];
}

/** The name of the service in errors. */
export const arxivName = "arXiv";

/** The most papers of a page, even if more are requested. */
const mostPapers = 50;

/** The most categories of a paper. */
const mostCategories = 20;

/** The most authors of a paper: some have thousands. */
const mostAuthors = 50;

/**
 * Reads the Atom feed of arXiv's interface (https://info.arxiv.org/help/api/user-manual.html).
 * @throws ServiceError for something that is not a feed, and for a failure that the feed reports in an entry of its own;
 * ConfigurationError if the XML parser is not installed.
 */
export async function readFeed(text: string): Promise<ArxivResult> {
  const { root } = await parse(text);
  if (root?.name !== "feed") throw new ServiceError(arxivName, "answered with XML that is not an Atom feed.");
  const entries = childrenOf(root, "entry");
  const failure = entries.map(failureIn).find((words) => words !== undefined);
  if (failure !== undefined) throw new ServiceError(arxivName, `refused the query: ${failure}`);
  return {
    total: countOf(root, "totalResults") ?? entries.length,
    start: countOf(root, "startIndex") ?? 0,
    papers: entries.slice(0, mostPapers).map(paperOf),
  };
}

async function loadParser(): Promise<typeof parser> {
  try {
    return await import("@rgrove/parse-xml");
  } catch (cause) {
    throw missingPackage("Searching arXiv needs", "@rgrove/parse-xml", cause);
  }
}

async function parse(text: string): Promise<XmlDocument> {
  const { parseXml } = await loadParser();
  try {
    return parseXml(text);
  } catch (cause) {
    // Its throttle answers in plain words, whatever the status.
    const isThrottled = /^\s*rate exceeded/i.test(text);
    const what = isThrottled ? "had too many requests." : "answered with something that is not XML.";
    throw new ServiceError(arxivName, what, { isTransient: isThrottled, cause });
  }
}

/** A failure comes as an entry, with the status 200 of old and with 400 of late. */
function failureIn(entry: XmlElement): string | undefined {
  if (!textOf(entry, "id").includes("/api/errors")) return undefined;
  return textOf(entry, "summary") || "it does not say why";
}

function paperOf(entry: XmlElement): ArxivPaper {
  const link = textOf(entry, "id").replace(/^http:/, "https:");
  const links = childrenOf(entry, "link").map(({ attributes }) => attributes);
  const pdf = words(
    links.find(({ title, type }) => title === "pdf" || type === "application/pdf")?.["href"],
    2_000,
  );
  const authors = childrenOf(entry, "author").map((author) => textOf(author, "name"));
  const terms = ["primary_category", "category"]
    .flatMap((name) => childrenOf(entry, name))
    .map(({ attributes }) => words(attributes["term"], 100) ?? "");
  const [doi, journal, comment] = ["doi", "journal_ref", "comment"].map((name) => textOf(entry, name));
  return {
    id: /\/abs\/(.+)$/.exec(link)?.[1] ?? link,
    title: textOf(entry, "title"),
    authors:
      authors.length > mostAuthors
        ? [...authors.slice(0, mostAuthors), `and ${authors.length - mostAuthors} more`]
        : authors,
    abstract: textOf(entry, "summary"),
    published: textOf(entry, "published"),
    updated: textOf(entry, "updated"),
    link,
    ...(pdf !== undefined && { pdf: pdf.replace(/^http:/, "https:") }),
    categories: [...new Set(terms)].filter(Boolean).slice(0, mostCategories),
    ...(doi && { doi }),
    ...(journal && { journal }),
    ...(comment && { comment }),
  };
}

/** The elements right below one, by their name without a prefix. */
function childrenOf(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.filter(
    (child): child is XmlElement =>
      child.type === "element" && "name" in child && child.name.replace(/^.*:/, "") === name,
  );
}

function textOf(parent: XmlElement, name: string): string {
  return words(childrenOf(parent, name)[0]?.text, 5_000) ?? "";
}

function countOf(feed: XmlElement, name: string): number | undefined {
  const text = textOf(feed, name);
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
