import { describeValue, invalidOption } from "../base/options/known-options.ts";
import type { Judged } from "./checks.ts";
import { linksIn } from "./links.ts";

/** Addresses to resolve others against: what stays on them leads nowhere else. `https:/host` is a host on a page of `http` alone. */
const here = "here.invalid";
const pages = [`https://${here}/`, `http://${here}/`];

/** The longest host that a reason has, in characters. */
const longestHost = 100;

/**
 * A check without a model: whether all links of a text lead to these hosts, or to hosts below them. Links are addresses with a scheme,
 * `www.` names, and the targets of Markdown and HTML, images too. Allowed are `http`, `https` and `mailto`, without a user name or a
 * password, and what has no host. A bare name such as `example.com` is not a link, nor is `a@example.com` without `mailto:` or angle brackets.
 * @param domains - Such as `"example.com"`, which stands for `shop.example.com`, too.
 * @throws ConfigurationError (`invalid-option`)
 */
export function allowedDomains(
  domains: readonly string[],
): (judged: Pick<Judged, "text">) => string | undefined {
  if (!Array.isArray(domains))
    throw invalidOption(`allowedDomains() requires a list of hosts, not ${describeValue(domains)}.`, {
      option: "domains",
    });
  const hosts = domains.map(hostOfDomain);
  const isAllowed = (host: string): boolean =>
    hosts.some((allowed) => host === allowed || host.endsWith(`.${allowed}`));
  return ({ text }) => {
    for (const link of linksIn(text)) {
      const problems = pages.map((page) => problemOf(link, page, isAllowed));
      const problem = problems.find((each) => each !== undefined);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** A host as URLs have it: in lower case, and in ASCII. */
function hostOfDomain(domain: unknown): string {
  const text = typeof domain === "string" ? domain : "";
  const url = URL.canParse(`https://${text}`) && new URL(`https://${text}`);
  // What is more than a host, or reads as another one, would not be what it seems.
  const isHost = url && url.href === `https://${url.hostname}/` && !/[/\\?#@*:]/.test(text);
  if (isHost) return withoutRoot(url.hostname);
  throw invalidOption(
    `allowedDomains() requires hosts such as "example.com", not ${describeValue(domain)}. Hosts below one are allowed with it.`,
    { option: "domains" },
  );
}

function withoutRoot(host: string): string {
  return host.replace(/\.$/, "");
}

/** Why a link is not allowed; `undefined` for one that is. */
function problemOf(link: string, page: string, isAllowed: (host: string) => boolean): string | undefined {
  // `https://<host>` in a description leads nowhere.
  if (/^[a-z][a-z0-9+.-]*:[\\/]*$/i.test(link)) return undefined;
  if (!URL.canParse(link, page)) return "a link that cannot be read";
  const url = new URL(link, page);
  if (url.protocol === "mailto:") return problemOfMail(url, isAllowed);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return `a link of the scheme ${url.protocol.slice(0, longestHost)}`;
  if (url.username !== "" || url.password !== "") return "a link with a user name";
  const host = withoutRoot(url.hostname);
  if (host === here || isAllowed(host)) return undefined;
  return `a link to ${host.slice(0, longestHost)}`;
}

function problemOfMail({ pathname, search }: URL, isAllowed: (host: string) => boolean): string | undefined {
  // Others may be written to as well: `?cc=`.
  const addresses = `${pathname},${search}`.replaceAll("%40", "@").split(/[,;&]/);
  const hosts = addresses.flatMap((address) => address.split("@").slice(1));
  const other = hosts.find(
    (host) => !URL.canParse(`https://${host}`) || !isAllowed(new URL(`https://${host}`).hostname),
  );
  return other === undefined ? undefined : "an address of mail elsewhere";
}
