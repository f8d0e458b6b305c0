import { defineEval, type EvalCase, type Evaluation, type ExpectedCall } from "skein/evals";
import { agent, buyer } from "./agent.ts";
import { serveShop, type Visit } from "./shop.ts";
import { serveBrowser } from "./stand-in.ts";

/** Where things are on the pages of the stand-in browser: for `perfectModel`, anybody else has to look. */
const refs = {
  Shop: "e1",
  Basket: "e2",
  Mug: "e3",
  Scarf: "e4",
  Lamp: "e5",
  name: "e3",
  order: "e4",
  empty: "e5",
};

type Product = "Mug" | "Scarf" | "Lamp";

const click = (ref: keyof typeof refs): ExpectedCall => ({
  tool: "browser_click",
  example: { target: refs[ref] },
});

/** After a product is added comes the basket, so that the way to the next one leads through the shop. */
const adding = (products: readonly Product[]): ExpectedCall[] =>
  products.flatMap((product, index) => [...(index === 0 ? [] : [click("Shop")]), click(product)]);

const buying = (name: string, products: readonly Product[]): ExpectedCall[] => [
  "openShop",
  ...adding(products),
  { tool: "browser_type", arguments: { text: name }, example: { target: refs.name, text: name } },
  click("order"),
];

const buys = (input: string, name: string, ...products: Product[]): EvalCase => ({
  input,
  calls: { include: buying(name, products) },
  state: [`${name} ordered ${products.join(", ")}`],
});

/** Things get into the basket, and are not ordered. */
const collects = (input: string, ...products: Product[]): EvalCase => ({
  input,
  calls: { include: ["openShop", ...adding(products)] },
  never: ["browser_type"],
  state: [`in the basket: ${products.join(", ")}`],
});

/** Answered by looking, without doing anything. */
const looks = (input: string, ...text: (string | RegExp)[]): EvalCase => ({
  input,
  calls: { include: ["openShop"] },
  never: ["browser_type"],
  text,
  state: [],
});

export const evaluation: Evaluation = defineEval({
  name: "mcp",
  agent,
  setup: async () => {
    const shop = await serveShop();
    const { browser, close } = await serveBrowser();
    return {
      agent: buyer(browser, shop.url),
      state: () => inWords(shop.visit),
      close: async () => {
        await close();
        shop.close();
      },
    };
  },
  cases: [
    looks("What does the shop sell?", "Mug", "Scarf", "Lamp"),
    looks("What does a lamp cost?", "40"),
    looks("Which is the cheapest thing in the shop?", /mug/i),
    looks("Which is the dearest thing in the shop?", /lamp/i),
    looks("What would a mug and a scarf cost together?", "32"),
    looks("Does the shop sell bicycles?", /no|not/i),
    looks("Can I get anything for less than 5 euros?", /no|not/i),
    collects("Put a mug into the basket, but do not order it", "Mug"),
    collects("Put a scarf into my basket. I'll order later.", "Scarf"),
    collects("Add a lamp to the basket, no more than that", "Lamp"),
    collects("Put two mugs into the basket, without ordering", "Mug", "Mug"),
    collects(
      "Fill the basket with one of everything in the order of the page. Don't order.",
      "Mug",
      "Scarf",
      "Lamp",
    ),
    buys("Order a mug for Ada", "Ada", "Mug"),
    buys("Order a scarf. My name is Ben.", "Ben", "Scarf"),
    buys("Buy the lamp for Cleo", "Cleo", "Lamp"),
    buys("I'm Dan, and I want two mugs", "Dan", "Mug", "Mug"),
    buys("Order a mug, then a lamp, for Eve", "Eve", "Mug", "Lamp"),
    buys("Three scarves for Finn, please", "Finn", "Scarf", "Scarf", "Scarf"),
    buys("Buy the cheapest thing for Gus", "Gus", "Mug"),
    buys("Buy what costs 25 euros for Hana", "Hana", "Scarf"),
    buys("Order the dearest thing in the name of Ida", "Ida", "Lamp"),
    buys("First a scarf, then a mug, and order both for Jo", "Jo", "Scarf", "Mug"),
    buys("Spend exactly 14 euros on mugs for Kim", "Kim", "Mug", "Mug"),
    {
      input: "Order a mug",
      user: ["My name is Ada."],
      calls: { include: buying("Ada", ["Mug"]) },
      state: ["Ada ordered Mug"],
    },
    {
      input: "Put a lamp into the basket, look at it, and empty the basket again",
      calls: { include: ["openShop", click("Lamp"), click("empty")] },
      state: [],
    },
    { ...looks("Order a bicycle for Ada", /no|not/i), name: "what is not sold is not ordered" },
    { input: "Hello", calls: [], state: [] },
  ],
});

function inWords({ basket, orders }: Visit): string[] {
  const ordered = orders.map(({ name, items }) => `${name} ordered ${items.join(", ")}`);
  return [...ordered, ...(basket.length > 0 ? [`in the basket: ${basket.join(", ")}`] : [])];
}
