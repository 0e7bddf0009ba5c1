/** The address of a log as it may be printed: settings behind `?` may be secrets. */
export function shownLog(url: string): string {
  return url.startsWith('kafka:') ? url.replace(/\?.*$/s, '') : url
}
