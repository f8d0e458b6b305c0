import assert from "node:assert/strict";
import { test } from "node:test";
import { bill } from "../src/bill.js";

const dinner = [
  { name: "soup", cents: 450 },
  { name: "pasta", cents: 1100 },
];

test("guests share a bill", () => {
  assert.deepEqual(bill(dinner, ["Ada", "Ben"]), ["Ada pays 7.75", "Ben pays 7.75"]);
});

test("a bill that guests cannot share equally loses no cent: the first guests pay one more", () => {
  assert.deepEqual(bill(dinner, ["Ada", "Ben", "Cleo"]), [
    "Ada pays 5.17",
    "Ben pays 5.17",
    "Cleo pays 5.16",
  ]);
});
