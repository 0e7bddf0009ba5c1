import type { Purchase } from './purchase.ts'

export type Rows = Readonly<Record<string, number>>

/** What the stores hold after all purchases, by the text of the row's key: `shop`, `shop@start` or `shop@start-end`. */
export interface Expected {
  readonly spent: Rows
  readonly hourly: Rows
  readonly visits: Rows
}

export function expectedOf(purchases: readonly Purchase[]): Expected {
  const spent: Record<string, number> = {}
  const hourly: Record<string, number> = {}
  for (const { shop, cents, at } of purchases) {
    spent[shop] = (spent[shop] ?? 0) + cents
    const window = `${shop}@${Math.floor(at / 10_000) * 10_000}`
    hourly[window] = (hourly[window] ?? 0) + 1
  }
  return { spent, hourly, visits: visitsOf(purchases) }
}

function visitsOf(purchases: readonly Purchase[]): Rows {
  const visits: Record<string, number> = {}
  for (const shop of new Set(purchases.map((purchase) => purchase.shop))) {
    const times = purchases.filter((purchase) => purchase.shop === shop).map(({ at }) => at)
    let visit: number[] = []
    for (const at of [...times.sort((one, two) => one - two), Number.POSITIVE_INFINITY]) {
      if (visit.length > 0 && at - Number(visit.at(-1)) > 3000) {
        visits[`${shop}@${visit[0]}-${visit.at(-1)}`] = visit.length
        visit = []
      }
      visit.push(at)
    }
  }
  return visits
}
