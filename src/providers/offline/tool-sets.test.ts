import { describe, expect, test } from "vitest";
import type { ToolSpec } from "../../model/types.ts";
import {
  answer,
  calendar,
  callsFor,
  everything,
  files,
  household,
  mail,
  maths,
  weather,
} from "./test-tools.ts";

type Case = readonly [text: string, ...calls: readonly (readonly [string, object])[]];

/** Each text leads to these calls, in any order of the arguments. */
function expectCalls(tools: readonly ToolSpec[], cases: readonly Case[]): void {
  test.each(cases.map(([text, ...calls]) => [text, calls] as const))("%s", async (text, calls) => {
    const { toolCalls } = await answer(text, tools);
    const actual = toolCalls.map((call) => [call.toolName, JSON.parse(call.arguments) as unknown]);
    expect(actual).toEqual(calls);
  });
}

describe("a weather tool", () => {
  expectCalls(weather, [
    ["What is the weather in Paris?", ["getWeather", { city: "Paris" }]],
    ["weather in new york please", ["getWeather", { city: "new york" }]],
    ["WEATHER IN PARIS", ["getWeather", { city: "PARIS" }]],
    ["Paris weather", ["getWeather", { city: "Paris" }]],
    ["Will it rain in London tomorrow?", ["getWeather", { city: "London" }]],
    ["is it sunny in são paulo?", ["getWeather", { city: "são paulo" }]],
    ["how hot is it in Cairo in Fahrenheit", ["getWeather", { city: "Cairo", unit: "fahrenheit" }]],
    ["Weather for San Francisco for the next 3 days", ["getWeather", { city: "San Francisco", days: 3 }]],
    ["forecast for Tokyo, five days, Celsius", ["getWeather", { city: "Tokyo", days: 5, unit: "celsius" }]],
    ["what's the wether in Oslo", ["getWeather", { city: "Oslo" }]],
    [
      "Compare the weather in Paris, Berlin and Rome",
      ["getWeather", { city: "Paris" }],
      ["getWeather", { city: "Berlin" }],
      ["getWeather", { city: "Rome" }],
    ],
  ]);
});

describe("an email tool", () => {
  const lunch = { to: "ann@example.com", subject: "Lunch", body: "Shall we meet at noon?" };
  const hello = { to: "carl@example.com", subject: "Hello" };
  expectCalls(mail, [
    [
      "Send an email to ann@example.com with subject 'Lunch' and body 'Shall we meet at noon?'",
      ["sendEmail", lunch],
    ],
    ['mail "Shall we meet at noon?" to ann@example.com, the subject is "Lunch"', ["sendEmail", lunch]],
    [
      "Write an email to bob@example.com about the budget saying that it is approved",
      ["sendEmail", { to: "bob@example.com", subject: "budget", body: "it is approved" }],
    ],
    [
      "send a mail to carl@example.com, subject: Hello, body: I am late",
      ["sendEmail", { ...hello, body: "I am late" }],
    ],
  ]);
});

describe("a calendar", () => {
  expectCalls(calendar, [
    [
      "Create a meeting called Standup on 2026-03-05 at 10:30 with ann@example.com and bob@example.com",
      [
        "createEvent",
        {
          title: "Standup",
          date: "2026-03-05",
          time: "10:30",
          attendees: ["ann@example.com", "bob@example.com"],
        },
      ],
    ],
    [
      "schedule a meeting titled 'Budget review' for 5 March 2026 at 3pm",
      ["createEvent", { title: "Budget review", date: "2026-03-05", time: "15:00" }],
    ],
    [
      "Put a dentist appointment in my calendar on 2026-04-01",
      ["createEvent", { title: "dentist appointment", date: "2026-04-01" }],
    ],
    ["What's on my calendar on March 5, 2026?", ["listEvents", { date: "2026-03-05" }]],
    ["list events on 2026-01-01", ["listEvents", { date: "2026-01-01" }]],
    ["delete event ev42", ["deleteEvent", { eventId: "ev42" }]],
    ["Cancel event 17", ["deleteEvent", { eventId: "17" }]],
    ["remove the appointment ev-9 please", ["deleteEvent", { eventId: "ev-9" }]],
  ]);
});

describe("a maths toolkit", () => {
  expectCalls(maths, [
    ["add 2 and 3", ["add", { a: 2, b: 3 }]],
    ["what is the sum of 2 and 3?", ["add", { a: 2, b: 3 }]],
    ["2 + 3", ["add", { a: 2, b: 3 }]],
    ["add two to twenty-five", ["add", { a: 2, b: 25 }]],
    ["what is 12 times 4", ["multiply", { a: 12, b: 4 }]],
    ["7*6", ["multiply", { a: 7, b: 6 }]],
    ["multiply 1.5 by -2", ["multiply", { a: 1.5, b: -2 }]],
    ["the product of seven and six", ["multiply", { a: 7, b: 6 }]],
    ["subtract 3 from 10", ["subtract", { a: 10, b: 3 }]],
    ["10 minus 3", ["subtract", { a: 10, b: 3 }]],
    ["difference between 10 and 4", ["subtract", { a: 10, b: 4 }]],
    ["divide 1,000 by eight", ["divide", { a: 1000, b: 8 }]],
    ["what is 100 / 4?", ["divide", { a: 100, b: 4 }]],
    ["square root of 16", ["squareRoot", { x: 16 }]],
    ["what's the average of 3, 5 and 10", ["average", { values: [3, 5, 10] }]],
  ]);
});

describe("a household of tools", () => {
  const flight = { from: "Rome", to: "Paris", date: "2026-05-01" };
  expectCalls(household, [
    [
      "translate 'good morning' into French",
      ["translate", { text: "good morning", targetLanguage: "French" }],
    ],
    ["translate good morning to French", ["translate", { text: "good morning", targetLanguage: "French" }]],
    ["search the web for best pizza in Rome", ["searchWeb", { query: "best pizza in Rome" }]],
    ["look up the population of Norway", ["searchWeb", { query: "the population of Norway" }]],
    ["add buy milk to my todo list", ["addTodo", { task: "buy milk" }]],
    ["add a high priority task: write report", ["addTodo", { task: "write report", priority: "high" }]],
    ["set a timer for 10 minutes", ["setTimer", { minutes: 10 }]],
    ["set a 5 minute timer", ["setTimer", { minutes: 5 }]],
    ["book a flight from Rome to Paris on 2026-05-01", ["bookFlight", flight]],
    ["Fly to Paris from Rome on May 1st, 2026", ["bookFlight", flight]],
    [
      "I'd like to fly from new york to berlin tomorrow",
      ["bookFlight", { from: "new york", to: "berlin", date: "tomorrow" }],
    ],
    ["turn off the light in the living room", ["turnLight", { room: "living_room", state: "off" }]],
    ["turn on the kitchen lights", ["turnLight", { room: "kitchen", state: "on" }]],
    ["where is my order A1234?", ["getOrderStatus", { orderId: "A1234" }]],
    ["what's the status of order 1234", ["getOrderStatus", { orderId: "1234" }]],
  ]);
});

describe("a file system", () => {
  expectCalls(files, [
    ["read the file notes.txt", ["read_file", { path: "notes.txt" }]],
    ["list the files in /tmp", ["list_directory", { path: "/tmp" }]],
    ["write 'hello world' to the file out.txt", ["write_file", { path: "out.txt", content: "hello world" }]],
  ]);
});

describe("among all these tools", () => {
  expectCalls(everything, [
    ["What is the weather in Paris?", ["getWeather", { city: "Paris" }]],
    ["12 times 4", ["multiply", { a: 12, b: 4 }]],
    ["Delete event 7", ["deleteEvent", { eventId: "7" }]],
    ["order status A99", ["getOrderStatus", { orderId: "A99" }]],
    ["switch the bedroom light off", ["turnLight", { room: "bedroom", state: "off" }]],
  ]);

  test.each([
    "Tell me a joke about penguins",
    "What is the capital of France?",
    "Who wrote Hamlet?",
    "what is love?",
    "Recommend me a good book",
    "What is the best city to learn Italian in?",
  ])("nothing fits: %s", async (text) => {
    const { toolCalls, text: answerText } = await answer(text, everything);
    expect(toolCalls).toEqual([]);
    expect(answerText).toMatch(
      /^I found no tool that fits\. What I can do here:\n- get weather: Get the current/,
    );
  });

  test.each(["hello", "Hi there!", "what can you do?", "can you help me?"])(
    "no request: %s",
    async (text) => {
      expect((await answer(text, everything)).text).toMatch(/^Hello\. What I can do here:\n- get weather/);
    },
  );
});

test("one sentence asks for all missing arguments, with their descriptions", async () => {
  expect((await answer("What's the weather like?", weather)).text).toMatch(
    /^For "get weather" I need the city \(City name, such as "Paris"\): please tell me\.\n/,
  );
  expect((await answer("mail ann@example.com", mail)).text).toMatch(
    /^For "send email" I need the subject and the body \(Text of the message\): please tell me\./,
  );
});

test("a relative day is not a formatted date, so the answer asks for the date", async () => {
  expect(await callsFor("list the events of tomorrow", calendar)).toEqual([]);
  expect((await answer("list the events of tomorrow", calendar)).text).toContain("the date (as YYYY-MM-DD)");
});

test("the only tool whose name has the requested term is chosen, whatever else the request mentions", async () => {
  const properties = { itemId: { type: "integer" } };
  const inputSchema = { type: "object", properties, required: ["itemId"] };
  const shop: readonly ToolSpec[] = [
    { name: "refundItem", description: "Refund an item.", inputSchema },
    { name: "applyDiscount", description: "Give a discount on an item instead of a refund.", inputSchema },
  ];
  for (const text of ["refund", "refund the rain jacket"]) {
    expect((await answer(text, shop)).text, text).toMatch(
      /^For "refund item" I need the item id: please tell me\./,
    );
  }
});
