import { asks, calls, none, type Row, row, saying } from "./row.ts";

const moved = [calls("canChange"), calls("listFlights"), asks("changeFlight"), none];

/** Sentences that nothing was tuned on: they were written once the rules had passed those of the table. */
export const holdout: Readonly<Record<string, readonly Row[]>> = {
  basic: [
    row("What's it like outside in Dublin, rain or sun?", "English", calls("getWeather", { city: "Dublin" })),
    row("forecast Amsterdam", "English", calls("getWeather", { city: "Amsterdam" })),
    row("could you show my account details please", "English", calls("showAccount")),
    row("do you know any good jokes", "English", none),
    row("hola amigo", "Spanish", none),
    row("see you later", "English", none),
  ],
  triage: [
    row(
      "I would like to get a refund for item 1 because it itches",
      "Refunds",
      calls("refundItem", { itemId: 1, reason: /itches/ }),
    ),
    row("send item 3 back", "Refunds", calls("refundItem", { itemId: 3 })),
    row("can I order the boots?", "Sales", asks("orderItem")),
    row("give me a list of what you sell", "Sales", calls("listItems")),
    saying(/gloves/, row("Do you have gloves?", "Sales", calls("listItems"))),
    row("I am not happy with what I got", "Refunds", asks("refundItem"), none),
    row("what's your favourite colour?", "Triage", none),
  ],
  weather: [
    row("Do I need a coat in Oslo?", "Weather", calls("getWeather", { city: "Oslo" }), none),
    row("weather for Paris, 4 days", "Weather", calls("getWeather", { city: "Paris", days: 4 })),
    row("is it snowing in new york", "Weather", calls("getWeather", { city: "new york" })),
    row("please send a mail", "Weather", asks("sendEmail")),
    row("set an alarm for 7", "Weather", none),
    row("nice to meet you", "Weather", none),
  ],
  airline: [
    row("my baggage hasn't arrived", "Lost Baggage", asks("searchBaggage"), none),
    row("find my suitcase with tag T100", "Lost Baggage", calls("searchBaggage", { tag: "T100" })),
    row("I'd like to cancel and get a refund", "Flight Cancel", calls("refundFlight")),
    row("change flight to SK1920 please", "Flight Change", calls("changeFlight", { flightId: "SK1920" })),
    row("I want to fly on another day", "Flight Change|Flight Modification", ...moved),
    row("do I get a meal?", "Triage", none),
  ],
  "support-bot": [
    row("my valve leaks", "Help Centre", calls("searchHelp", { question: /valve leaks/i })),
    row("How do I download an invoice?", "Help Centre", calls("searchHelp", { question: /invoice/i })),
    row("list tickets", "Help Centre", calls("listTickets")),
    row("please submit a ticket about my hub", "Help Centre", asks("submitTicket")),
    row(
      "Read the article get-started-with-the-api",
      "Help Centre",
      calls("readArticle", { id: "get-started-with-the-api" }),
    ),
    row("good afternoon", "User Interface", none),
  ],
  "personal-shopper": [
    row(
      "please refund my order number 2, it is the wrong colour",
      "Refunds",
      calls("refundOrder", { orderId: 2 }),
    ),
    row("which products are there?", "Sales", calls("listProducts")),
    row("I'll buy three of product 4", "Sales", calls("orderProduct", { productId: 4, quantity: 3 })),
    row(
      "send me a message saying that the shop closes at six",
      "Notifications",
      calls("notifyCustomer", { message: /the shop closes at six$/ }),
    ),
    saying(/umbrella/, row("how much is an umbrella?", "Sales", calls("listProducts"))),
    row("tell me something about yourself", "Triage", none),
  ],
  research: [
    row(
      "search wikipedia for Marie Curie",
      "Researcher",
      calls("wikipedia_search", { query: "Marie Curie" }),
      calls("wikipedia_summary", { title: "Marie Curie" }),
    ),
    row(
      "are there scientific papers about bird migration?",
      "Researcher",
      calls("arxiv_search", { query: /bird migration/ }),
    ),
    row(
      "search the web for bicycle repair",
      "Researcher",
      calls("tavily_search", { query: /bicycle repair$/ }),
    ),
    row("good night", "Researcher", none),
  ],
  toolkits: [
    row(
      'add "Printer paper" for 8.90 euros',
      "Expenses",
      calls("ledger_add", { what: "Printer paper", euros: 8.9 }),
    ),
    row("what did we spend?", "Expenses", calls("ledger_total"), calls("ledger_list")),
    row("rate of CHF", "Expenses", calls("getRate", { currency: "CHF" })),
    row("Convert 75 GBP into euros please", "Expenses", calls("convert", { amount: 75, currency: "GBP" })),
    row("who is the boss here", "Expenses", none),
  ],
  mcp: [
    row("please open the shop for me", "Buyer", calls("openShop")),
    row("click something", "Buyer", asks("browser_click")),
    row("what's two plus two", "Buyer", none),
  ],
  openapi: [
    row(
      "Which rabbits are available?",
      "Pet shop",
      calls("listPets", { kind: "rabbit", status: "available" }),
    ),
    row("show customer 1", "Pet shop", calls("getCustomer", { customerId: 1 })),
    row("what vaccinations does pet 2 have", "Pet shop", calls("listVaccinations", { petId: 2 })),
    row("count the pets", "Pet shop", calls("countPets")),
    row("cancel the order with number 1", "Pet shop", calls("cancelOrder", { orderId: 1 })),
    row("place an order", "Pet shop", asks("placeOrder")),
    row("do you like music?", "Pet shop", none),
  ],
  "custom-provider": [
    row('please add "sugar" to the list', "List", calls("addItem", { what: "sugar" })),
    row("strike number 2 off the list", "List", calls("strikeOff", { position: 2 })),
    row("read my list", "List", calls("readList")),
    row("add", "List", asks("addItem"), none),
    row("what a lovely day", "List", none),
  ],
};
