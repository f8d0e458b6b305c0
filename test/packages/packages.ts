/** A package and the types whose functions are described. */
export interface Package {
  readonly name: string;
  /** Type expressions; by default what the package exports. */
  readonly roots?: readonly string[];
}

const exported = (name: string): Package => ({ name });
const types = (name: string, ...roots: readonly string[]): Package => ({
  name,
  roots: roots.map((root) => `import("${name}").${root}`),
});

/** What people make tools of: SDKs of services, databases, and libraries of functions. */
export const packages: readonly Package[] = [
  types("openai", "OpenAI"),
  types("@anthropic-ai/sdk", "Anthropic"),
  types("@octokit/rest", "Octokit"),
  types("stripe", "Stripe"),
  types("@aws-sdk/client-s3", "S3"),
  types("@aws-sdk/client-dynamodb", "DynamoDB"),
  types("@aws-sdk/client-sqs", "SQS"),
  types("@aws-sdk/client-ses", "SES"),
  types("mongodb", "Collection", "Db", "MongoClient"),
  types("pg", "Client", "Pool"),
  types("ioredis", "Redis"),
  types("redis", "RedisClientType"),
  exported("date-fns"),
  exported("lodash-es"),
  exported("yaml"),
  exported("uuid"),
  types("axios", "AxiosInstance"),
  exported("undici"),
  types("nodemailer", "Transporter"),
  types("sharp", "Sharp"),
  exported("cheerio"),
  types("puppeteer-core", "Page", "Browser"),
  types("playwright-core", "Page", "Browser"),
  types("twilio", "Twilio"),
  types("@slack/web-api", "WebClient"),
  types("discord.js", "TextChannel", "Guild", "Message"),
  types("@notionhq/client", "Client"),
  types("@linear/sdk", "LinearClient"),
  types("square", "SquareClient"),
  types("plaid", "PlaidApi"),
  types("resend", "Resend"),
  types("postmark", "ServerClient"),
  types("algoliasearch", "Algoliasearch"),
  types("@elastic/elasticsearch", "Client"),
  types("meilisearch", "Index", "MeiliSearch"),
  types("typesense", "Client"),
  types("knex", "Knex"),
  exported("marked"),
  types("luxon", "DateTime", "Duration"),
  exported("ramda"),
  types("mathjs", "MathJsInstance"),
  types("decimal.js", "Decimal"),
  exported("nanoid"),
  exported("semver"),
  exported("execa"),
  exported("fs-extra"),
  exported("glob"),
  types("winston", "Logger"),
];
