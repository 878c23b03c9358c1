//! Pictures that claim or decompress to far more data than their files have.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::super::proofs::photo;

/// A grey picture of this size, whose dots are there for the first rows only, with more chunks before them.
pub(super) fn png(width: u32, height: u32, chunks: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = Vec::new();
    head.extend(width.to_be_bytes());
    head.extend(height.to_be_bytes());
    head.extend([8, 0, 0, 0, 0]);
    bytes.extend(chunk(*b"IHDR", &head));
    bytes.extend(chunks);
    let rows = usize::try_from(height.min(64)).expect("few");
    let row = usize::try_from(width).expect("a row") + 1;
    bytes.extend(chunk(*b"IDAT", &deflated(&vec![0; rows * row])));
    bytes.extend(chunk(*b"IEND", &[]));
    bytes
}

fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).expect("short");
    let named = [&kind[..], data].concat();
    let sum = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(&named);
    [&length.to_be_bytes()[..], &named, &sum.to_be_bytes()].concat()
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

pub(super) fn text_bomb() -> Vec<u8> {
    let text = deflated(&vec![b'a'; 100 * 1024 * 1024]);
    chunk(
        *b"iTXt",
        &[b"Comment\0\x01\0\0\0", text.as_slice()].concat(),
    )
}

pub(super) fn colours_bomb() -> Vec<u8> {
    let colours = deflated(&vec![b'a'; 20 * 1024 * 1024]);
    chunk(*b"iCCP", &[b"icc\0\0", colours.as_slice()].concat())
}

/// Its head says that it is as large as that.
pub(super) fn huge_jpeg() -> Vec<u8> {
    let mut bytes = photo(40, 30);
    let size = bytes.windows(2).position(|at| at == [0xFF, 0xC0]);
    let at = size.expect("its size");
    bytes[at + 5..at + 9].copy_from_slice(&[0xEA, 0x60, 0xEA, 0x60]);
    bytes
}
