import { defineEval, type EvalCase, type Evaluation, type ExpectedCall } from "skein/evals";
import { agent, petShopAgent } from "./agent.ts";
import { openShop, type PetShop, serveShop } from "./server.ts";

type Arguments = Exclude<ExpectedCall, string>["arguments"];

/** A question: this call, among others, finds the answer, and nothing changes. */
const asks = (input: string, tool: string, args: Arguments, ...text: (string | RegExp)[]): EvalCase => ({
  input,
  calls: { include: [{ tool, arguments: args ?? {} }] },
  text,
  state: [],
});

/** A wish: this call, among others, fulfils it, and nothing else changes. */
const wants = (input: string, tool: string, args: Arguments, ...changes: string[]): EvalCase => ({
  input,
  calls: { include: [{ tool, arguments: args ?? {} }] },
  state: changes,
});

/** What cannot or must not be done: nothing changes, whatever is looked up. */
const refuses = (input: string, ...never: string[]): EvalCase => ({ input, never, state: [] });

const sale = (petId: number, customerId: number): string[] => [
  `pets ${petId} status: sold`,
  `orders 2 petId: ${petId}`,
  `orders 2 customerId: ${customerId}`,
  "orders 2 status: placed",
];

export const evaluation: Evaluation = defineEval({
  name: "openapi",
  agent,
  approvals: "approve",
  setup: async () => {
    const shop = openShop();
    const { url, close } = await serveShop(shop);
    return { agent: petShopAgent(url), state: () => changesOf(shop), close };
  },
  cases: [
    asks("Which dogs do you have?", "listPets", { kind: "dog" }, "Rex", "Bella"),
    asks("Which pets cost at most 100 euros?", "listPets", { maxPrice: 100 }, "Hops", "Polly"),
    asks("Which pets are sold?", "listPets", { status: "sold" }, "Tom"),
    asks("Which cats are available?", "listPets", { kind: "cat" }, "Luna"),
    asks("How many pets of each kind are for sale?", "countPets", {}, /rabbit/i),
    asks("Tell me about pet 3", "getPet", { petId: 3 }, "Polly", "90"),
    asks("What is pet 1 vaccinated against?", "listVaccinations", { petId: 1 }, "rabies", "distemper"),
    asks('Is there a customer called "Ada"?', "findCustomers", { name: "Ada" }, "Ada Young"),
    asks("What is the email address of customer 2?", "getCustomer", { customerId: 2 }, "ben@example.com"),
    asks("What did customer 2 order?", "listOrders", { customerId: 2 }, /6|Tom/),
    asks("Which orders are cancelled?", "listOrders", { status: "cancelled" }, /none|no orders|nothing/i),
    asks("Show order 1", "getOrder", { orderId: 1 }, /6|Tom/),
    asks("Show pet 99", "getPet", { petId: 99 }, "99"),
    wants("Sell pet 3 to customer 1", "placeOrder", { body: { petId: 3, customerId: 1 } }, ...sale(3, 1)),
    wants("Customer 2 takes pet 5", "placeOrder", { body: { petId: 5, customerId: 2 } }, ...sale(5, 2)),
    wants("Ada Young buys Luna", "placeOrder", { body: { petId: 2, customerId: 1 } }, ...sale(2, 1)),
    wants(
      "Cancel order 1",
      "cancelOrder",
      { orderId: 1 },
      "pets 6 status: available",
      "orders 1 status: cancelled",
    ),
    wants(
      "Ben Old cancels his order",
      "cancelOrder",
      { orderId: 1 },
      "pets 6 status: available",
      "orders 1 status: cancelled",
    ),
    wants("Pet 2 costs 140 euros now", "updatePet", { petId: 2, body: { price: 140 } }, "pets 2 price: 140"),
    wants(
      'Change the name of pet 4 to "Jumper"',
      "updatePet",
      { petId: 4, body: { name: "Jumper" } },
      "pets 4 name: Jumper",
    ),
    wants(
      'Pet 3 was vaccinated against "rabies"',
      "addVaccination",
      { petId: 3, body: { disease: "rabies" } },
      "pets 3 vaccinations: rabies",
    ),
    wants("Remove pet 4, it ran away", "removePet", { petId: 4 }, "pets 4 is gone"),
    wants(
      'A new parrot, "Kiki", costs 80 euros',
      "addPet",
      { body: { name: "Kiki", kind: "parrot", price: 80 } },
      "pets 7 name: Kiki",
      "pets 7 kind: parrot",
      "pets 7 price: 80",
      "pets 7 status: available",
      "pets 7 vaccinations: ",
    ),
    wants(
      'Add a customer: "Cleo Young", cleo@example.com',
      "addCustomer",
      { body: { name: "Cleo Young", email: "cleo@example.com" } },
      "customers 3 name: Cleo Young",
      "customers 3 email: cleo@example.com",
    ),
    refuses("Sell pet 6 to customer 1", "cancelOrder", "removePet"),
    refuses("Remove pet 6", "cancelOrder"),
    refuses("Sell the goldfish to customer 1", "placeOrder"),
    refuses("What would it cost to buy all dogs?", "placeOrder"),
    refuses("Hello", "placeOrder", "removePet", "cancelOrder"),
  ],
});

/** What is different from the shop as it opened. */
function changesOf(shop: PetShop): string[] {
  const before = new Set(factsOf(openShop()));
  const ids = new Set(factsOf(shop).map(entryOf));
  const gone = [...new Set([...before].map(entryOf))].filter((entry) => !ids.has(entry));
  return [...factsOf(shop).filter((fact) => !before.has(fact)), ...gone.map((entry) => `${entry} is gone`)];
}

function factsOf({ pets, customers, orders }: PetShop): string[] {
  return Object.entries({ pets, customers, orders }).flatMap(([kind, entries]) =>
    entries.flatMap(({ id, ...fields }) =>
      Object.entries(fields).map(([name, value]) => `${kind} ${id} ${name}: ${String(value)}`),
    ),
  );
}

/** Such as `pets 4`. */
function entryOf(fact: string): string {
  return fact.split(" ", 2).join(" ");
}
