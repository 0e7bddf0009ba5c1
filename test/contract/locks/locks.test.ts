import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BACKENDS, type Backend } from '../state-file/backends.ts'

describe.each(BACKENDS)('locks (%s)', (_, make) => {
  let backend: Backend
  beforeEach(() => {
    backend = make()
  })
  afterEach(() => backend.dispose())

  it('are held against everyone, this process too, who is told about the holder', () => {
    const lock = backend.locks.acquire('orders', 'run 17')
    expect(() => backend.locks.acquire('orders', 'run 18')).toThrow(
      expect.objectContaining({ code: 'LOCKED', retryable: true, message: expect.stringContaining('run 17') }),
    )
    expect(() => backend.locks.acquire('orders', 'run 19')).toThrow('run 17')
    lock.release()
  })

  it('are free after release, however often', () => {
    const first = backend.locks.acquire('orders', 'first')
    first.release()
    const second = backend.locks.acquire('orders', 'second')
    first.release()
    expect(() => backend.locks.acquire('orders', 'third')).toThrow('second')
    second.release()
    backend.locks.acquire('orders', 'third').release()
  })

  it('have nothing to do with each other under different names', () => {
    const names = ['orders', 'orders/g1', 'orders/g2', 'orders/orders', 'flights']
    const locks = names.map((name) => backend.locks.acquire(name, name))
    for (const name of names) expect(() => backend.locks.acquire(name, '')).toThrow(`${name} is locked`)
    for (const lock of locks) lock.release()
  })

  it.each(['', '..', '../orders', 'orders/', 'orders/..', 'a/b/c'])('refuses %j as a name', (name) => {
    expect(() => backend.locks.acquire(name, '')).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })
})
