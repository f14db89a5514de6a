// What a browser's players find in a film: size, duration, and of some pictures how many colours they have and a sum of their pixels.
const LOOK = `(image, width, height) => {
  const canvas = new OffscreenCanvas(width, height), context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const colors = new Set();
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) {
    colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    sum = (sum * 31 + data[i] + 256 * data[i + 1] + 65536 * data[i + 2]) % 1000000007;
  }
  return { colors: colors.size, sum };
}`;

async function inBlankPage(browser, action, argument) {
  const page = await browser.newPage();
  try {
    await page.goto(import.meta.url);   // players of single pictures want a page from somewhere
    return await page.evaluate(action, argument);
  } finally {
    await page.close();
  }
}

export const lookAtFilm = (browser, bytes, times, type = 'video/webm') => inBlankPage(browser, async ({ data, at, look, mime }) => {
  const video = document.createElement('video');
  video.muted = true;
  video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type: mime }));
  await new Promise((done, fail) => { video.onloadeddata = done; video.onerror = () => fail(new Error(video.error.message)); });
  const see = eval(look), pictures = [];
  for (const t of at) {
    await new Promise((done) => { video.onseeked = done; video.currentTime = t; });
    pictures.push(see(video, video.videoWidth, video.videoHeight));
  }
  return { width: video.videoWidth, height: video.videoHeight, duration: video.duration, pictures };
}, { data: bytes.toString('base64'), at: times, look: LOOK, mime: type });

export const lookAtGif = (browser, bytes, indices) => inBlankPage(browser, async ({ data, at, look }) => {
  const decoder = new ImageDecoder({ data: Uint8Array.from(atob(data), (c) => c.charCodeAt(0)), type: 'image/gif' });
  await decoder.tracks.ready;
  await decoder.completed;
  const track = decoder.tracks.selectedTrack, see = eval(look), pictures = [];
  let image = null;
  for (const frameIndex of at) {
    ({ image } = await decoder.decode({ frameIndex }));
    pictures.push(see(image, image.displayWidth, image.displayHeight));
  }
  return { frames: track.frameCount, width: image.displayWidth, height: image.displayHeight, frameTime: image.duration / 1e6, pictures };
}, { data: bytes.toString('base64'), at: indices, look: LOOK });
