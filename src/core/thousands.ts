/** A whole number with its thousands apart: `336,776`. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
