import { job, json, string, topic } from 'tidemark'

const asked = topic('asked', { key: string(), value: json<number>() })
const answered = topic('answered', { key: string(), value: json<number>() })

export default job('answering', {}, ({ stream }) => {
  stream(asked).groupByKey().count('asked-by-key').toStream().to(answered)
})
