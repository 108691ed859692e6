// Checked by tsc alone: what must compile, and what must not.

import { KeyfallError, Outcome, Placer, Refused, Rejected, SchemeId, audit, direct, engine, schemes, vectors } from 'keyfall'
import { Placer as WasmPlacer } from 'keyfall/wasm'
import { groupBySlot, slot } from 'keyfall/ioredis'
import { createPartitioner } from 'keyfall/kafkajs'
import { createPartitioner as forPlatformatic } from 'keyfall/platformatic'
import { Kafka } from 'kafkajs'

const java = new Placer('kafka/java', { partitions: 12 })
const index: number | null = java.place('user:42')
const token: bigint | null = new Placer('cassandra/murmur3').place({ type: 'bigint', value: 42n })
const text: string | null = new Placer('cassandra/byte-ordered').place(Buffer.of(1))
const redis: number | null = new Placer('redis/cluster', null).place('a')
const outcome: Outcome<number> = java.outcome(null)
if (outcome.outcome === 'placed') {
  const place: number = outcome.place
  const owner: string | undefined = outcome.owner
  void [place, owner]
} else {
  const why: string = outcome.why
  void why
}
const stage: 'encode' | 'select' | 'hash' | 'map' | 'owner' | 'rule' = java.explain('a').steps[0]!.stage
const statuses: Uint8Array = java.placeColumn(Buffer.alloc(0), Int32Array.of(0), new Uint32Array(0), { text: true })
new Placer('cassandra/murmur3').placeColumn(new BigInt64Array(1), null, new BigInt64Array(1))
java.placeColumn(new Uint16Array(1), Int32Array.of(0, 1), new Uint32Array(1))
const many: (number | null)[] = java.placeMany(['a', null, { hex: '00' }])
const { places, status } = java.placeMany(['a'], { status: true })
const counted: number | null = direct.kafkaJava('a', 12)
const direct64: bigint | null = direct.cassandraToken('a')
const id: SchemeId = schemes()[0]!.id
const cases = vectors('kafka/java').cases.length + vectors().length
const report = audit([{ key: 'a', partition: 1, offset: '7' }], { scheme: 'kafka/java', params: { partitions: 12 } })
const later: Promise<typeof report> = audit((async function* () { yield { key: 'a' } })(), { scheme: 'redis/cluster' })
const codes: [KeyfallError['code'], Rejected['code'], Refused['code']] = ['KeyfallError', 'Rejected', 'Refused']
const names: 'native' | 'wasm' = engine
new WasmPlacer('kafka/java', { partitions: 12, ignore_keys: true })
new Placer('redis/cluster', { topology: { format: 1, unit: 'slot', entries: [] } })
new Kafka({ brokers: [] }).producer({ createPartitioner })
new Kafka({ brokers: [] }).producer({ createPartitioner: () => createPartitioner('kafka/sarama-hash') })
// What @platformatic/kafka takes; its own types need packages that it does not bring.
type Metadata = { topics: Map<string, { partitionsCount: number }> }
const platformatic: (message: { topic: string }, key: Buffer | undefined, context: { metadata: Metadata | undefined }) => number =
  forPlatformatic('kafka/java', { partitions: { orders: 12 } })
const slots: Map<number, string[]> = groupBySlot(['a'])
const one: number = slot('a')

// @ts-expect-error: no such scheme
new Placer('kafka/jva', { partitions: 12 })
// @ts-expect-error: partitions are needed
new Placer('kafka/java')
// @ts-expect-error: of another type
new Placer('kafka/java', { partitions: '12' })
// @ts-expect-error: no such param
new Placer('redis/cluster', { partitions: 12 })
// @ts-expect-error: a number is no key
java.place(42)
// @ts-expect-error: an array is no key
java.place(['a'])
// @ts-expect-error: a place of kafka/java is no bigint
const wrong: bigint | null = java.place('a')
// @ts-expect-error: tokens do not fit
new Placer('cassandra/murmur3').placeColumn(new Uint8Array(1), Int32Array.of(0, 1), new Uint32Array(1))
// @ts-expect-error: byte places have no column
new Placer('cassandra/byte-ordered').placeColumn(new Uint8Array(1), Int32Array.of(0, 1), new Uint32Array(1))
// @ts-expect-error: only schemes with partitions
createPartitioner('redis/cluster')

void [index, token, text, redis, stage, statuses, many, places, status, counted, direct64, id, cases, later, codes, names, slots, one, platformatic, wrong]
