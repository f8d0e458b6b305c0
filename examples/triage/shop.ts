/** Something the shop sells; its price is in euros. */
export interface Item {
  readonly id: number;
  readonly name: string;
  readonly price: number;
}

/** An item somebody bought; the discount is in percent. */
export interface Order {
  readonly itemId: number;
  readonly quantity: number;
  refunded: boolean;
  discount: number;
}

/** A small shop in memory. Its customer has bought one of each item. */
export class Shop {
  readonly items: readonly Item[] = [
    { id: 1, name: "Wool scarf", price: 25 },
    { id: 2, name: "Rain jacket", price: 80 },
    { id: 3, name: "Hiking boots", price: 120 },
  ];
  readonly orders: Order[] = this.items.map(({ id }) => ({
    itemId: id,
    quantity: 1,
    refunded: false,
    discount: 0,
  }));

  item(itemId: number): Item {
    const item = this.items.find(({ id }) => id === itemId);
    if (!item) throw new Error(`there is no item ${itemId}`);
    return item;
  }

  /** The latest order of an item that is not refunded. */
  paidOrder(itemId: number): Order {
    const order = this.orders.findLast((order) => order.itemId === itemId && !order.refunded);
    if (!order) throw new Error(`there is no order of item ${itemId} that could be refunded`);
    return order;
  }
}
