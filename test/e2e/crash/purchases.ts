import { Chance } from './chance.ts'

const SHOPS = ['bakery', 'butcher', 'greengrocer', 'tailor', 'smith', 'chandler']

/** Of these no later step may make anything: one that cannot be read, one that user code refuses, one without a key. */
const POISON = ['"id":9007199254740993,"customer":"c1"', '"amount":-1,"customer":"c2"', '"customer":null']

/** Lines of JSON, the same each time: purchases of a morning, one a second and many of them late, with some poison. */
export function purchases(count: number): string {
  const chance = new Chance(2013)
  const lines = Array.from({ length: count }, (_, id) => {
    const delay = chance.next() < 0.2 ? chance.from(0, 240_000) : chance.from(0, 5_000)
    const customer = `c${chance.from(1, 80)}`
    const shop = SHOPS[chance.from(0, SHOPS.length - 1)]
    const purchase = { id, customer, shop, amount: chance.from(1, 900) / 4, at: 3_600_000 + id * 1_000 - delay }
    const poison = id % 211 === 97 ? POISON[chance.from(0, POISON.length - 1)] : undefined
    const line = JSON.stringify(purchase)
    return poison === undefined ? line : `${line.slice(0, -1)},${poison}}`
  })
  return `${lines.join('\n')}\n`
}

/** Where the shops are; some move. */
export function shops(): string {
  const lines = SHOPS.flatMap((shop, index) => [
    { shop, town: ['Wick', 'Thurso'][index % 2], at: 0 },
    ...(index < 3 ? [{ shop, town: 'Halkirk', at: 3_600_000 + index * 600_000 }] : []),
  ])
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
}
