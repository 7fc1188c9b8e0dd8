// Products with pictures: the ready schema of pictures, a picture for each colour, and products that list them.
import sharp from 'sharp'
import type { TestServer } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'

export const PICTURES = 'sch-picture'

export const png = (colour: string, width = 300, height = 200): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer()

/** A file for the file dialog. */
export const pngFile = async (name: string, colour: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await png(colour),
})

/** Uploads a picture of one colour, and returns the value that names the file. */
export async function uploadPng({ admin, url }: TestServer, colour: string): Promise<object> {
  const answer = await fetch(`${url}/api/v1/files?fileName=${encodeURIComponent(colour)}.png`, {
    method: 'POST',
    headers: { ...admin.headers, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(await png(colour)),
  })
  return (await answer.json()) as object
}

/** Makes `pic-red` and so on, with an English text `The red one`; and the schema `shirt`, whose products list pictures. */
export async function makePictureModel(server: TestServer, colours: readonly string[]): Promise<void> {
  const { admin } = server
  await make(admin, '/api/v1/dimensions', {
    id: 'language',
    name: 'Language',
    segments: [
      { id: 'de', name: 'Deutsch' },
      { id: 'en', name: 'English' },
    ],
  })
  await make(admin, '/api/v1/schemas/picture', {})
  await make(admin, '/api/v1/schemas', {
    id: 'shirt',
    name: 'Shirt',
    imageAttribute: 'pictures',
    labelAttribute: 'name',
    attributes: [
      { alias: 'name', name: 'Name', dataType: 'text' },
      {
        alias: 'pictures',
        name: 'Pictures',
        dataType: 'references',
        validation: { schemaId: PICTURES, maxCount: 4 },
      },
    ],
  })
  for (const colour of colours) {
    const content = [{ scope: {}, value: await uploadPng(server, colour) }]
    const alt = [{ scope: { language: 'en' }, value: `The ${colour} one` }]
    await make(admin, '/api/v1/records', { id: `pic-${colour}`, schemaId: PICTURES, values: { content, alt } })
  }
}

/** What a browser reports when the user drops or pastes files: for `evaluate` of the element. */
export function giveFiles(
  field: Element,
  told: {
    readonly kind: 'drop' | 'paste'
    readonly files: readonly { readonly name: string; readonly base64: string }[]
  },
): void {
  const data = new DataTransfer()
  for (const { name, base64 } of told.files) {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    data.items.add(new File([bytes], name, { type: 'image/png' }))
  }
  const how = { bubbles: true, cancelable: true }
  if (told.kind === 'paste') {
    field.dispatchEvent(new ClipboardEvent('paste', { ...how, clipboardData: data }))
    return
  }
  field.dispatchEvent(new DragEvent('dragover', { ...how, dataTransfer: data }))
  field.dispatchEvent(new DragEvent('drop', { ...how, dataTransfer: data }))
}
