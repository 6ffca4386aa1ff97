import { DatabaseSync } from 'node:sqlite';

export interface Order {
  readonly id: string;
  readonly amount: number;
  /** The BR Code to copy and paste; null until the transaction is created. */
  readonly pixCode: string | null;
  /** The BR Code as a data URI of an image. */
  readonly qrCode: string | null;
  readonly paidAt: string | null;
}

export class Orders {
  readonly #database: DatabaseSync;

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(`CREATE TABLE IF NOT EXISTS orders (
      id TEXT PRIMARY KEY, amount INTEGER NOT NULL, pixCode TEXT, qrCode TEXT, paidAt TEXT
    ) STRICT`);
  }

  find(id: string): Order | undefined {
    return this.#database.prepare('SELECT * FROM orders WHERE id = ?').get(id) as Order | undefined;
  }

  /** Returns the order with this id, which is created unless it exists. */
  open(id: string, amount: number): Order {
    this.#database.prepare('INSERT OR IGNORE INTO orders (id, amount) VALUES (?, ?)').run(id, amount);
    return this.find(id) as Order;
  }

  saveCode(id: string, pixCode: string | null, qrCode: string | null): void {
    this.#database.prepare('UPDATE orders SET pixCode = ?, qrCode = ? WHERE id = ?').run(pixCode, qrCode, id);
  }

  /** Returns false if the order was paid before, or does not exist. */
  markPaid(id: string, amount: number, paidAt: string): boolean {
    const { changes } = this.#database
      .prepare('UPDATE orders SET paidAt = ? WHERE id = ? AND amount = ? AND paidAt IS NULL')
      .run(paidAt, id, amount);
    return changes === 1;
  }
}
